/**
 * Replaces built-in modules that describe the machine. A job must not depend on the machine on which it runs, but many
 * packages read these values while they load. So every machine returns the same ones.
 */

const OS = `
import original from 'node:os'
export * from 'node:os'
const memory = 2147483648
export const hostname = () => 'svc'
export const release = () => '0.0.0'
export const version = () => 'svc'
export const homedir = () => '/nonexistent'
export const cpus = () => [{ model: 'svc', speed: 0, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } }]
export const availableParallelism = () => 1
export const totalmem = () => memory
export const freemem = () => memory
export const loadavg = () => [0, 0, 0]
export const uptime = () => 0
export const networkInterfaces = () => ({})
export const getPriority = () => 0
export const setPriority = () => undefined
export const userInfo = () => ({ username: 'svc', uid: 65534, gid: 65534, shell: null, homedir: '/nonexistent' })
export default { ...original, hostname, release, version, homedir, cpus, availableParallelism, totalmem, freemem,
  loadavg, uptime, networkInterfaces, getPriority, setPriority, userInfo }
`

/** `require` for names that are known only at run time: returns a built-in module, or throws MODULE_NOT_FOUND. */
const REQUIRE = `
const svcPackage = (id) => /^[/]app[/](?:.*[/])?node_modules[/]((?:@[^/]+[/])?[^/]+)[/]/.exec(id)?.[1];
const svcHint = (id) => (svcPackage(id) ? '. "' + svcPackage(id) + '" loads files of its package by computed names, which a job does not have. Use another package.' : /^[./]/.test(id) ? '. A job has only the files that the code of the app imports by a name written as text' : '');
const svcNotFound = (id) => Object.assign(new Error("Cannot find module '" + id + "'" + svcHint(id)), { code: 'MODULE_NOT_FOUND' });
const svcBuiltin = (id) => (typeof id === 'string' ? process.getBuiltinModule(id) : undefined);
const svcRequire = (id) => {
  const found = svcBuiltin(id);
  if (found === undefined) throw svcNotFound(id);
  return found;
};
const svcResolve = (id) => {
  if (svcBuiltin(id) === undefined) throw svcNotFound(id);
  return id;
};
Object.assign(svcResolve, { paths: () => null });
Object.assign(svcRequire, { resolve: svcResolve, cache: {}, extensions: {}, main: undefined });
`

const MODULE = `
import original from 'node:module'
export * from 'node:module'
${REQUIRE}
export const createRequire = () => svcRequire
export default Object.assign(Object.create(original), { createRequire })
`

/** The guest gives the global process an empty environment and input and a fixed user; imported names must be the same. */
const PROCESS = `
export * from 'node:process'
const shared = globalThis.process
const input = () => shared.stdin
export const { env, getuid, geteuid, getgid, getegid, getgroups, umask, availableMemory, constrainedMemory } = shared
export const stdin = /* @__PURE__ */ input()
export default shared
`

/** Re-exports members of a module's default export, because the guest may have replaced them there before it loads the code. */
const reexport = (name: string, members: readonly string[]): string => `
import original from '${name}'
export * from '${name}'
export const { ${members.join(', ')} } = original
export default original
`

const FILES = [
  ...['exists', 'existsSync', 'close', 'closeSync', 'open', 'openSync', 'read', 'readSync'],
  ...['readFile', 'readFileSync', 'readv', 'readvSync'],
] as const
const QUERIES = [
  ...['resolve', 'resolve4', 'resolve6', 'resolveAny', 'resolveCaa', 'resolveCname', 'resolveMx'],
  ...['resolveNaptr', 'resolveNs', 'resolvePtr', 'resolveSoa', 'resolveSrv', 'resolveTxt'],
] as const
const NAMES = ['lookup', 'reverse', ...QUERIES] as const

/** Sources of the replaced modules, by specifier. */
export const SYSTEM_MODULES: ReadonlyMap<string, string> = new Map([
  ['node:os', OS],
  ['node:module', MODULE],
  ['node:process', PROCESS],
])

/** Sources for imports of modules whose default export the guest changes. A `require` returns that export itself. */
export const CHANGED_MODULES: ReadonlyMap<string, string> = new Map([
  ['node:fs', reexport('node:fs', FILES)],
  ['node:fs/promises', reexport('node:fs/promises', ['open', 'readFile'])],
  ['node:dns', reexport('node:dns', NAMES)],
  ['node:dns/promises', reexport('node:dns/promises', NAMES)],
])

/**
 * Prepended to a bundle that calls `require` at run time, because esbuild's own helper looks for a global `require`. It
 * is one line, so that the source map moves by exactly one line.
 */
export const REQUIRE_PRELUDE = `var require=(()=>{${REQUIRE.trim().split('\n').join(';').replaceAll('{;', '{').replaceAll(';}', '}')};return svcRequire})();\n`
