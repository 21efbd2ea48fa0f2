/** Program of command-server.ts: reads requests as lines of JSON from stdin and writes each response to descriptor 3. */
import { writeSync } from 'node:fs'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { runCommandLine } from '../../cmd/svc/command-line.ts'

const ANSWERS = 3
/** The caller is blocked until a command ends, so the timeout of a test cannot end a command that hangs. */
const COMMAND_DEADLINE_MS = 100_000

const request = z.object({
  args: z.array(z.string()),
  cwd: z.string(),
  env: z.record(z.string(), z.string()),
  input: z.string().default(''),
})

/** Collects what is written instead of writing it. @returns stops collecting and returns the text */
const collect = (stream: NodeJS.WriteStream): (() => string) => {
  const write = stream.write
  let text = ''
  stream.write = (chunk: string | Uint8Array, ...more: readonly unknown[]) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
    const done = more.find((value) => typeof value === 'function')
    if (done !== undefined) queueMicrotask(() => done())
    return true
  }
  return () => {
    stream.write = write
    return text
  }
}

const runOne = async (line: string): Promise<void> => {
  const { args, cwd, env, input } = request.parse(JSON.parse(line))
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  Object.defineProperty(process, 'stdin', { value: Readable.from([input]), configurable: true })
  process.exitCode = undefined
  const [stdout, stderr] = [collect(process.stdout), collect(process.stderr)]
  const deadline = setTimeout(() => {
    const said = `${stdout()}${stderr()}`
    const waits = process.getActiveResourcesInfo().join(' ')
    process.stderr.write(
      `svc ${args.join(' ')} never ended. It waits for ${waits}, and said: ${said}\n`,
    )
    process.exit(1)
  }, COMMAND_DEADLINE_MS)
  const status = await runCommandLine(args)
  clearTimeout(deadline)
  const text = JSON.stringify({ stdout: stdout(), stderr: stderr(), status })
  const bytes = Buffer.from(`${text}\n`)
  // a pipe may accept only a part at a time
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(ANSWERS, bytes, sent)
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'end') break
  await runOne(line)
}
process.exit(0)
