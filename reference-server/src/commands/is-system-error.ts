/** True for an error of the operating system, such as `ENOSPC: no space left on device, write`. */
export function isSystemError(error: unknown): error is Error & { readonly code: unknown } {
  return error instanceof Error && "code" in error && "syscall" in error;
}
