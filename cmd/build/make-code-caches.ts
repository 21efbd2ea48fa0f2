/**
 * Writes the V8 code cache of each program next to it, as `<path>.cache`. The Node that will run the programs runs this file
 * with `--hash-seed=1` and a large heap: `make-code-caches.ts <mode> <V8 flag or ''> <path>…`. cmd/build/code-cache.ts describes
 * the modes.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'
import { cacheNameOf } from '../../internal/platform/chunk-text.ts'

type Require = (name: string) => unknown
type Module = { exports: unknown }

const [mode = '', flag = '', ...paths] = process.argv.slice(2)
/** The compilers of V8 that follow the interpreter, on by default. */
const COMPILERS = ['sparkplug', 'maglev', 'turbofan']
const requireBuiltin: Require = createRequire(import.meta.url)

const compile = (path: string): Script => {
  setFlagsFromString('--hash-seed=1')
  return new Script(readFileSync(path, 'utf8'))
}

const write = (path: string, script: Script): void => {
  setFlagsFromString('--hash-seed=0')
  if (flag !== '') setFlagsFromString(flag)
  writeFileSync(cacheNameOf(path), script.createCachedData())
}

const run = (script: Script, require: Require, module: Module): void => {
  const main: unknown = script.runInThisContext()
  if (typeof main !== 'function') throw new Error('The program is not a function.')
  main(require, module, module.exports, process.execPath, '/')
}

/** Whether code failed because it loads a file from the executable, which this process is not: libSQL's native library. */
const needsExecutable = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION'

/** Loads modules that require one another by file name. A module that needs the executable stops loading at that point. */
const loadAll = (scripts: ReadonlyMap<string, Script>): void => {
  const modules = new Map<string, Module>()
  const load: Require = (name) => {
    const script = scripts.get(basename(name))
    if (script === undefined) return requireBuiltin(name)
    const loaded = modules.get(name)
    if (loaded !== undefined) return loaded.exports
    const module: Module = { exports: {} }
    modules.set(name, module)
    try {
      run(script, load, module)
    } catch (error) {
      if (!needsExecutable(error)) throw error
    }
    return module.exports
  }
  for (const name of scripts.keys()) load(`./${name}`)
}

if (mode !== 'compiled') {
  // keep functions that were not used for some time, which V8 would drop
  setFlagsFromString('--no-flush-bytecode')
  // V8 records in a function that it was compiled further, which happens in threads and thus at a random time
  for (const compiler of COMPILERS) setFlagsFromString(`--no-${compiler}`)
  // freeze the clock: a program that yields after a few milliseconds would call its functions
  // in a different order on a busy machine
  const now = Date.now()
  Date.now = () => now
}
const scripts = new Map(paths.map((path) => [path, compile(path)] as const))
process.on('exit', () => {
  setFlagsFromString('--flush-bytecode')
  for (const compiler of COMPILERS) setFlagsFromString(`--${compiler}`)
  // V8 accepts a cache only under the flags with which it was made. Numbers of the command line are 0 by default
  for (const given of process.execArgv) setFlagsFromString(given.replace(/=\d+$/, '=0'))
  for (const [path, script] of scripts) write(path, script)
})
if (mode === 'loaded') {
  // one of the modules is the command line, which runs its shortest command
  process.argv = [process.execPath, 'svc', '--version']
  loadAll(new Map([...scripts].map(([path, script]) => [basename(path), script])))
}
if (mode === 'run')
  for (const script of scripts.values()) run(script, requireBuiltin, { exports: {} })
