// What the types of pages leave out, because only dedicated workers have it.

interface FileSystemSyncAccessHandle {
  close(): void;
}

interface FileSystemFileHandle {
  createSyncAccessHandle(): Promise<FileSystemSyncAccessHandle>;
}
