/*
 * Hides AVX-512, VNNI and AMX from a process and its children, so that a newer CPU takes the paths of one with AVX2 only:
 *
 *   gcc -O1 -shared -fPIC benchmarks/avx2-only.c -o /tmp/avx2-only.so
 *   LD_PRELOAD=/tmp/avx2-only.so npm run benchmark realtime
 *
 * CPUID faults (ARCH_CPUID of arch_prctl(2), Linux on Intel CPUs with cpuid_fault in /proc/cpuinfo), and is answered without
 * those bits. Reads of /proc/cpuinfo go without those flags. Code runs at the speed of this CPU.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define ARCH_SET_CPUID 0x1012
#define BIT(n) (1u << (n))

typedef int (*sigaction_function)(int, const struct sigaction *, struct sigaction *);

/* What the program itself does on SIGSEGV. */
static struct sigaction of_program;
static sigaction_function real_sigaction;
static int cpuinfo = -1;

static void set_cpuid(unsigned long enabled) { syscall(SYS_arch_prctl, ARCH_SET_CPUID, enabled); }

/* Intel SDM, volume 2, CPUID: leaf 7 lists AVX-512, VNNI and AMX, leaf 29 and 30 describe the tiles of AMX. */
static void answer_cpuid(greg_t *registers) {
  uint32_t leaf = registers[REG_RAX], subleaf = registers[REG_RCX];
  uint32_t a = leaf, b, c = subleaf, d;
  set_cpuid(1);
  __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  set_cpuid(0);
  if (leaf == 7 && subleaf == 0) {
    b &= ~(BIT(16) | BIT(17) | BIT(21) | BIT(26) | BIT(27) | BIT(28) | BIT(30) | BIT(31));
    c &= ~(BIT(1) | BIT(6) | BIT(11) | BIT(12) | BIT(14));
    d &= ~(BIT(2) | BIT(3) | BIT(8) | BIT(22) | BIT(23) | BIT(24) | BIT(25));
  } else if (leaf == 7 && subleaf == 1) {
    a &= ~(BIT(4) | BIT(5) | BIT(21) | BIT(23));
    d = 0;
  } else if (leaf == 0x1d || leaf == 0x1e) {
    a = b = c = d = 0;
  }
  registers[REG_RAX] = a, registers[REG_RBX] = b, registers[REG_RCX] = c, registers[REG_RDX] = d;
  registers[REG_RIP] += 2;
}

static void on_fault(int signal, siginfo_t *info, void *context) {
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  const uint8_t *instruction = (const uint8_t *)registers[REG_RIP];
  if (info->si_code == SI_KERNEL && instruction[0] == 0x0f && instruction[1] == 0xa2) {
    answer_cpuid(registers);
  } else if (of_program.sa_flags & SA_SIGINFO) {
    of_program.sa_sigaction(signal, info, context);
  } else {
    const struct sigaction fatal = {.sa_handler = SIG_DFL};
    real_sigaction(signal, &fatal, NULL);
    raise(signal);
  }
}

int sigaction(int signal, const struct sigaction *action, struct sigaction *before) {
  if (signal != SIGSEGV) return real_sigaction(signal, action, before);
  if (before) *before = of_program;
  if (action) of_program = *action;
  return 0;
}

static int open_file(const char *path, int flags, int mode) {
  if (strcmp(path, "/proc/cpuinfo") == 0 && cpuinfo >= 0) {
    char copy[32];
    snprintf(copy, sizeof copy, "/proc/self/fd/%d", cpuinfo);
    return syscall(SYS_openat, AT_FDCWD, copy, flags, mode);
  }
  return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static int mode_of(va_list arguments) {
  int mode = va_arg(arguments, int);
  va_end(arguments);
  return mode;
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  return open_file(path, flags, mode_of(arguments));
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  return open_file(path, flags, mode_of(arguments));
}

/* Blanks the names of hidden instructions in a copy of /proc/cpuinfo. */
static void copy_cpuinfo(void) {
  static char text[1 << 20];
  FILE *file = fopen("/proc/cpuinfo", "r");
  if (!file) return;
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  const char *hidden[] = {" avx512", " avx_vnni", " amx_"};
  for (size_t index = 0; index < sizeof hidden / sizeof *hidden; index++)
    for (char *found = text; (found = strstr(found, hidden[index]));)
      for (found++; *found != ' ' && *found != '\n' && *found != 0; found++) *found = '-';
  cpuinfo = memfd_create("cpuinfo", MFD_CLOEXEC);
  if (write(cpuinfo, text, strlen(text)) < 0) cpuinfo = -1;
}

__attribute__((constructor)) static void start(void) {
  real_sigaction = (sigaction_function)dlsym(RTLD_NEXT, "sigaction");
  copy_cpuinfo();
  const struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
  real_sigaction(SIGSEGV, &action, NULL);
  set_cpuid(0);
}
