/** The writer thread, in which waiting takes no time. lmdb waits between two attempts to read. */
Atomics.wait = () => "timed-out";
void import("../../src/filesystem/writer-thread.ts");
