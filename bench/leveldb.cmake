# The test for Clang's thread-safety warnings in LevelDB 1.22 also succeeds with GCC, which then refuses the flag.
set(HAVE_CLANG_THREAD_SAFETY OFF CACHE BOOL "GCC has no such warnings")
