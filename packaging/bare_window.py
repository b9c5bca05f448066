"""The barest PySide6 window there is: what the first window of Forensia is compared with."""

import sys

from PySide6.QtWidgets import QApplication, QMainWindow

app = QApplication(sys.argv)
window = QMainWindow()
window.resize(800, 600)
window.show()
sys.exit(app.exec())
