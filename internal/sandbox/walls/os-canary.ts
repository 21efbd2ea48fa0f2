/**
 * What a guest behind the operating system's walls tries when it is started without any of Deno's. It must end in an
 * error, whichever: there may be nothing to refuse, because nothing is there.
 */

/** Answers what did not end in an error. `ctx.input` holds addresses where the host listens. */
export const OS_CANARY_CODE = String.raw`
const dial = (hostname, port) => async () => (await Deno.connect({ hostname, port })).close()
const libc = (name, parameters) => (...values) => {
  const { symbols } = Deno.dlopen(mapped(), { [name]: { parameters, result: 'i32' } })
  if (symbols[name](...values) < 0) throw new Error('refused')
}
const mapped = () => Deno.readTextFileSync('/proc/self/maps').match(/\/\S*libc\.(?:so\.6|musl\S*)/)[0]
const i32 = (count) => Array(count).fill('i32')
const attempts = ({ port, addresses }) => ({
  'read files': () => Deno.readTextFileSync('/etc/passwd'),
  'see the host': () => Deno.readDirSync('/home').next(),
  'write outside its folder': () => Deno.writeTextFileSync('/svc-canary', ''),
  'change its program': () => Deno.writeTextFileSync('/svc/guest.mjs', ''),
  'change the kernel': () => Deno.openSync('/proc/sys/kernel/core_pattern', { write: true }).close(),
  'see processes': () => {
    if ([...Deno.readDirSync('/proc')].filter(({ name }) => /^\d+$/.test(name)).length < 4) throw new Error('own')
  },
  'read the environment': () => {
    if (Deno.readTextFileSync('/proc/1/environ').replace(/^PWD=[^\0]*\0?/, '') === '') throw new Error('empty')
  },
  'start processes': () => new Deno.Command(Deno.execPath(), { args: ['--version'] }).outputSync(),
  'fork': () => libc('fork', [])(),
  'leave namespaces': () => libc('unshare', i32(1))(0x400),
  'open kernel sockets': () => libc('socket', i32(3))(16, 3, 0),
  'trace': () => libc('ptrace', i32(4))(0, 0, 0, 0),
  'reach the metadata address': dial('169.254.169.254', 80),
  'reach private addresses': dial('10.0.0.1', 80),
  'reach private IPv6': dial('fd00::1', 80),
  ...Object.fromEntries(addresses.map((address) => ['reach ' + address, dial(address, port)])),
})
export const main = async ({ input }) => {
  const open = []
  for (const [name, attempt] of Object.entries(attempts(input))) {
    try { await attempt(); open.push(name) } catch {}
  }
  return open
}`
