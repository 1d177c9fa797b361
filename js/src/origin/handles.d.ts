// Types for dedicated workers, which the types of pages leave out.

interface FileSystemSyncAccessHandle {
  close(): void;
}

interface FileSystemFileHandle {
  createSyncAccessHandle(): Promise<FileSystemSyncAccessHandle>;
}
