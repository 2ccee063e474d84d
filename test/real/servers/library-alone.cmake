# Run after llama.cpp's project(): llama-cpp-python switches this on, and ships nothing of it.
set(LLAMA_BUILD_COMMON OFF CACHE BOOL "" FORCE)
