; The installer for Windows. packaging\build.py runs it where Inno Setup 6.3 or newer is installed:
;     iscc /DVersion=1.2.3 packaging\windows\forensia.iss
; NOT RUN HERE: written with care, on a machine without Windows.

#ifndef Version
  #error Give the version, as packaging\build.py does: iscc /DVersion=1.2.3 forensia.iss
#endif

#ifndef Bundle
  #define Bundle "..\..\dist\forensia"
#endif

[Setup]
AppId={{6B0D4A7E-3C52-4E0B-9F0A-5D8E2F1C7A94}
AppName=Forensia
AppVersion={#Version}
AppVerName=Forensia {#Version}
AppPublisher=The Forensia developers
DefaultDirName={autopf}\Forensia
DefaultGroupName=Forensia
DisableProgramGroupPage=yes
; For one user without asking for rights; for everybody if the person wants that and may.
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
ChangesAssociations=yes
CloseApplications=yes
OutputDir=..\..\dist
OutputBaseFilename=forensia-{#Version}-windows-x86_64
SetupIconFile=..\..\resources\icons\forensia.ico
UninstallDisplayIcon={app}\Forensia.exe
UninstallDisplayName=Forensia
Compression=lzma2/max
SolidCompression=yes
WizardStyle=modern

[Tasks]
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; GroupDescription: "{cm:AdditionalIcons}"; Flags: unchecked

[InstallDelete]
; What an older version had and this one has not would stay otherwise.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Bundle}\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs
Source: "..\..\resources\icons\forensia-case.ico"; DestDir: "{app}"; Flags: ignoreversion

[Icons]
Name: "{autoprograms}\Forensia"; Filename: "{app}\Forensia.exe"
Name: "{autodesktop}\Forensia"; Filename: "{app}\Forensia.exe"; Tasks: desktopicon

[Registry]
Root: HKA; Subkey: "Software\Classes\.forensia"; ValueType: string; ValueName: ""; ValueData: "Forensia.Case"; Flags: uninsdeletevalue uninsdeletekeyifempty
Root: HKA; Subkey: "Software\Classes\.forensia\OpenWithProgids"; ValueType: string; ValueName: "Forensia.Case"; ValueData: ""; Flags: uninsdeletevalue uninsdeletekeyifempty
Root: HKA; Subkey: "Software\Classes\Forensia.Case"; ValueType: string; ValueName: ""; ValueData: "Forensia case"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Forensia.Case\DefaultIcon"; ValueType: string; ValueName: ""; ValueData: "{app}\forensia-case.ico"
Root: HKA; Subkey: "Software\Classes\Forensia.Case\shell\open\command"; ValueType: string; ValueName: ""; ValueData: """{app}\Forensia.exe"" ""%1"""

[Run]
Filename: "{app}\Forensia.exe"; Description: "{cm:LaunchProgram,Forensia}"; Flags: nowait postinstall skipifsilent

[UninstallDelete]
Type: filesandordirs; Name: "{app}\_internal"
Type: dirifempty; Name: "{app}"
