@echo off
rem Double click here on Windows: Forensia from its source folder, which sets itself up on first use.
rem NOT RUN HERE: written with care, on a machine without Windows.
setlocal
set "START=%~dp0Forensia.pyw"
rem The launcher of python.org knows every Python that is installed; the one of the Store answers to "python" without being one.
where pyw >nul 2>nul
if not errorlevel 1 (
    start "" pyw -3 "%START%" %*
    exit /b 0
)
where pythonw >nul 2>nul
if not errorlevel 1 (
    start "" pythonw "%START%" %*
    exit /b 0
)
echo Forensia needs Python 3.11 or newer.
echo Install it from python.org and start again.
pause
exit /b 1
