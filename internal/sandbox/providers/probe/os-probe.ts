/**
 * What a guest attempts when Deno allows everything and only the operating system confines it. Each attempt must
 * end in an error of any kind. Often nothing refuses, because the target does not exist inside.
 */

const PRELUDE = String.raw`
const dial = (hostname, port) => async () => (await Deno.connect({ hostname, port })).close()
const mapped = () => Deno.readTextFileSync('/proc/self/maps').match(/\/\S*libc\.(?:so\.6|musl\S*)/)[0]
const libc = (name, parameters) => (...values) => {
  const { symbols } = Deno.dlopen(mapped(), { [name]: { parameters, result: 'i32' } })
  if (symbols[name](...values) < 0) throw new Error('refused')
}
const i32 = (count) => Array(count).fill('i32')
const bornAt = (pid) => Deno.readTextFileSync('/proc/' + pid + '/stat').replace(/^.*\)/s, '').split(' ')[20]
const unless = (isClosed) => { if (isClosed) throw new Error('closed') }
`

/** Attempts that every confinement must stop. */
const REACH = `
  'read files of the host': () => unless(Deno.readTextFileSync(folder + '/secret') !== secret),
  'write files of the host': () => Deno.writeTextFileSync(folder + '/written', ''),
  'change the kernel': () => Deno.openSync('/proc/sys/kernel/core_pattern', { write: true }).close(),
  'see processes of the host': () => unless(bornAt(pid) !== birth),
  'read the environment': () => unless(!Deno.readTextFileSync('/proc/1/environ').includes('SVC_')),
  'reach the metadata address': dial('169.254.169.254', 80),
  'reach private addresses': dial('10.0.0.1', 80),
  'reach private IPv6': dial('fd00::1', 80),
  ...Object.fromEntries(addresses.map((address) => ['reach ' + address, dial(address, port)])),
`

/** Attempts that only bubblewrap must stop: nothing of the host is visible inside, and most system calls are filtered. */
const BUBBLEWRAP = String.raw`
  'read files': () => Deno.readTextFileSync('/etc/passwd'),
  'see the host': () => [...Deno.readDirSync('/home')],
  'write outside its folder': () => Deno.writeTextFileSync('/svc-probe', ''),
  'change its program': () => Deno.writeTextFileSync('/svc/guest.mjs', ''),
  'see processes': () => unless([...Deno.readDirSync('/proc')].filter(({ name }) => /^\d+$/.test(name)).length < 4),
  'start processes': () => new Deno.Command(Deno.execPath(), { args: ['--version'] }).outputSync(),
  'leave namespaces': () => libc('unshare', i32(1))(0x400),
  'open kernel sockets': () => libc('socket', i32(3))(16, 3, 0),
  'trace': () => libc('ptrace', i32(4))(0, 0, 0, 0),
`

const programOf = (attempts: string): string => `${PRELUDE}
const attempts = ({ port, addresses, folder, secret, pid, birth }) => ({${attempts}})
export const main = async ({ input }) => {
  const names = await Promise.all(Object.entries(attempts(input)).map(async ([name, attempt]) => {
    try { await attempt(); return [name] } catch { return [] }
  }))
  return names.flat()
}`

/** The probe of an operator's confinement. */
export const REACH_PROBE_CODE = programOf(REACH)
/** The probe of bubblewrap. */
export const OS_PROBE_CODE = programOf(REACH + BUBBLEWRAP)
