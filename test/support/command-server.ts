/**
 * Runs commands of svc one after another in one process. A separate process per command takes half a second to load the
 * sources, which most tests of commands need not spend. Tests of the process itself use svc-process.ts.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { CHILD_ENV } from './svc-process.ts'

export type CommandRequest = Readonly<{
  args: readonly string[]
  cwd: string
  /** The whole environment. */
  env: Readonly<Record<string, string>>
  /** The content of stdin. @default empty */
  input?: string
}>

const answer = z.object({ stdout: z.string(), stderr: z.string(), status: z.number() })
export type CommandAnswer = Readonly<z.infer<typeof answer>>

export type CommandServer = Readonly<{
  /** Blocks until the command has ended, like spawnSync. @throws {Error} the process has died, in this command or earlier */
  run: (request: CommandRequest) => CommandAnswer
  close: () => void
}>

const CHUNK_BYTES = 65_536
const DIED = 'died\n'

const readLine = (descriptor: number): string => {
  const chunks: Buffer[] = []
  for (;;) {
    const chunk = Buffer.alloc(CHUNK_BYTES)
    const length = readSync(descriptor, chunk)
    chunks.push(chunk.subarray(0, length))
    if (chunk[length - 1] === 0x0a) return Buffer.concat(chunks).toString('utf8')
  }
}

/** @param hashes `cheap` as in the processes of tests, if no other process reads files with a passphrase from there. @default real */
export const openCommandServer = (hashes: 'real' | 'cheap' = 'real'): CommandServer => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-commands-'))
  const [requests, answers] = [join(folder, 'requests'), join(folder, 'answers')]
  execFileSync('mkfifo', [requests, answers])
  // both ways, because opening one end of a pipe blocks until the other end is open
  const [to, from] = [openSync(requests, 'r+'), openSync(answers, 'r+')]
  const program = join(import.meta.dirname, 'run-commands.ts')
  // prints a last line, because otherwise the caller would wait for a process that died; and
  // opens the pipe both ways again, because a shell that opens it after the caller has ended
  // would block forever, and with it Vitest, which waits for the output
  const script = 'from="$1"; exec 3<>"$2"; shift 2; "$0" "$@" <"$from"; echo died >&3'
  const words = [...(hashes === 'cheap' ? ['--conditions=svc-test'] : []), program]
  const child = spawn('sh', ['-c', script, process.execPath, requests, answers, ...words], {
    env: CHILD_ENV,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = once(child, 'exit')
  let hasDied = false
  return {
    run: (request) => {
      if (!hasDied) writeSync(to, `${JSON.stringify(request)}\n`)
      const line = hasDied ? DIED : readLine(from)
      // it may come right after the answer of a command that leaves a fault behind
      hasDied = line.endsWith(DIED)
      if (hasDied) throw new Error('The process that runs commands has died.')
      return answer.parse(JSON.parse(line))
    },
    close: () => {
      writeSync(to, 'end\n')
      void ended.then(() => {
        closeSync(to)
        closeSync(from)
        rmSync(folder, { recursive: true, force: true })
      })
    },
  }
}
