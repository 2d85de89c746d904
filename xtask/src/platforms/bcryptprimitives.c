/* Random numbers for programs of Rust in Wine 8 and earlier, which lack this library. Windows has it since version 7. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T n_bytes)
{
    return RtlGenRandom(bytes, (ULONG)n_bytes);
}
