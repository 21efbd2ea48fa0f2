/** A node as a separate process, from source or from dist/svc, with its output and its end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { CREDENTIAL } from './leak-scan.ts'
import { ROOT } from './repository.ts'

/** The program from source on this Node. */
export const FROM_SOURCE: readonly string[] = [
  process.execPath,
  join(ROOT, 'cmd', 'svc', 'main.ts'),
]

/**
 * The program that tests start as svc: the built file in TEST_PROGRAM, which `make test` sets because it starts in half the
 * time. Otherwise the source, so that a single test needs no build.
 */
export const PROGRAM: readonly string[] =
  process.env.TEST_PROGRAM === undefined ? FROM_SOURCE : [resolve(ROOT, process.env.TEST_PROGRAM)]

/** The environment that a child needs, without anything that a developer has set for svc. */
export const CHILD_ENV: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '',
  // from the second start on, the program from source starts twice as fast
  NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'svc-tests'),
}

export type SvcProcess = Readonly<{
  child: ChildProcess
  /** Everything on stderr so far. */
  said: () => string
  /** Resolves when stderr matches. Rejects if the process ends first. */
  untilSaid: (pattern: RegExp) => Promise<RegExpExecArray>
  /** Resolves with the exit code, null after a signal. */
  ended: Promise<number | null>
  /** Sends SIGTERM. Resolves with the exit code. */
  stop: () => Promise<number | null>
}>

export type SvcOptions = Readonly<{
  cwd: string
  env?: Readonly<Record<string, string>>
  program?: readonly string[]
}>

const DEADLINE_MS = 60_000

const SECRET_SETTING = /KEY|TOKEN|PASSWORD/

/** Throws if the log contains a credential or a secret of the node's environment. The error is not caught, so it ends the test run. */
const refuseSecrets = (said: string, env: Readonly<Record<string, string>>): void => {
  const given = Object.entries(env).filter(([name]) => SECRET_SETTING.test(name))
  const leak = given.find(([, value]) => value.length > 8 && said.includes(value))
  if (leak !== undefined) throw new Error(`A node logged the value of ${leak[0]}.`)
  const [credential] = said.match(CREDENTIAL) ?? []
  if (credential !== undefined) throw new Error(`A node logged ${credential.slice(0, 13)}….`)
}

export const startSvc = (
  args: readonly string[],
  { cwd, env = {}, program = PROGRAM }: SvcOptions,
): SvcProcess => {
  const [command = '', ...before] = program
  const child = spawn(command, [...before, ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...CHILD_ENV, SVC_PORT: '0', ...env },
  })
  let text = ''
  const ended = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null)
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    child.emit('said')
  })
  child.stderr.once('close', () => refuseSecrets(text, env))
  const untilSaid = async (pattern: RegExp): Promise<RegExpExecArray> => {
    const deadline = AbortSignal.timeout(DEADLINE_MS)
    for (;;) {
      const match = pattern.exec(text)
      if (match !== null) return match
      const hasEnded = child.exitCode !== null || child.signalCode !== null
      if (hasEnded || deadline.aborted) throw new Error(`svc never said ${pattern}:\n${text}`)
      const wake = { signal: AbortSignal.any([deadline, AbortSignal.timeout(1_000)]) }
      await once(child, 'said', wake).catch(() => undefined)
    }
  }
  return {
    child,
    said: () => text,
    untilSaid,
    ended,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}
