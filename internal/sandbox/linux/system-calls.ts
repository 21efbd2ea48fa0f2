/**
 * System calls that no job needs and an attacker does: calls that change mounts, namespaces,
 * clocks or the kernel, inspect other processes, start processes, or hold memory that is not
 * counted. The numbers are from the kernel's tables, per architecture.
 */
export const ARCHITECTURES = ['x64', 'arm64'] as const
export type Architecture = (typeof ARCHITECTURES)[number]

/** Null if the architecture has no such call. */
type Numbers = readonly [x64: number | null, arm64: number | null]

/** Calls that fail with EPERM, whatever their arguments. */
const REFUSED: Readonly<Record<string, Numbers>> = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  // namespaces, mounts, roots
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  mknod: [133, null],
  mknodat: [259, 33],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  swapon: [167, 224],
  swapoff: [168, 225],
  // the kernel itself
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  syslog: [103, 116],
  acct: [163, 89],
  personality: [135, 92],
  modify_ldt: [154, null],
  uselib: [134, null],
  sysfs: [139, null],
  iopl: [172, null],
  ioperm: [173, null],
  vhangup: [153, 58],
  nfsservctl: [180, 42],
  lookup_dcookie: [212, 18],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  // clocks
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  // memory that is in no process's resident set, or placed on a chosen node
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  shmget: [29, 194],
  shmat: [30, 196],
  semget: [64, 190],
  msgget: [68, 186],
  mq_open: [240, 180],
  mbind: [237, 235],
  set_mempolicy: [238, 237],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  remap_file_pages: [216, 234],
}

/** Old calls that start a process. `clone` is judged by its flags (seccomp-filter.ts). */
const STARTING: Readonly<Record<string, Numbers>> = { fork: [57, null], vfork: [58, null] }

export type SystemCalls = Readonly<{
  /** AUDIT_ARCH_*, the kernel's name for the architecture. */
  audit: number
  refused: readonly number[]
  /** Calls refused to programs that must stay a single process with threads. */
  starting: readonly number[]
  clone: number
  clone3: number
  ioctl: number
  socket: number
}>

const numbersOf = (calls: Readonly<Record<string, Numbers>>, column: 0 | 1): readonly number[] =>
  Object.values(calls)
    .map((numbers) => numbers[column])
    .filter((number) => number !== null)

export const SYSTEM_CALLS: Readonly<Record<Architecture, SystemCalls>> = {
  x64: {
    audit: 0xc000003e,
    refused: numbersOf(REFUSED, 0),
    starting: numbersOf(STARTING, 0),
    clone: 56,
    clone3: 435,
    ioctl: 16,
    socket: 41,
  },
  arm64: {
    audit: 0xc00000b7,
    refused: numbersOf(REFUSED, 1),
    starting: numbersOf(STARTING, 1),
    clone: 220,
    clone3: 435,
    ioctl: 29,
    socket: 198,
  },
}
