/** One measurement in a process of its own, so that no sample warms or burdens the next. */
import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { z } from 'zod'

const sample = z.object({
  value: z.number(),
  /** Seconds of CPU that the measured processes used, without the load generator. */
  cpuS: z.number(),
  /** The most memory that they held at once. */
  rssMb: z.number(),
  /** What was checked, as a sentence. */
  check: z.string(),
  more: z.record(z.string(), z.number()).optional(),
})
export type Sample = z.infer<typeof sample>

const MARK = 'sample:'

export const printSample = (made: Sample): void => {
  process.stdout.write(`${MARK}${JSON.stringify(made)}\n`)
}

/** CPU and memory of this process, with a server's beside it. */
export const ownUsage = (): Pick<Sample, 'cpuS' | 'rssMb'> => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  return { cpuS: (userCPUTime + systemCPUTime) / 1e6, rssMb: maxRSS / 1_024 }
}

/** A sample takes seconds; one that hangs must not hold up the others. */
const LIMIT_MS = 120_000

const running = new Set<ChildProcess>()

/** With the nodes that it started: they are of its group. */
const killGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // it has ended
  }
}

let isQuitting = false

/** For whoever ends the run before its time; no other sample starts after it. */
export const killSamples = (): void => {
  isQuitting = true
  for (const child of running) killGroup(child)
}

/** @throws {Error} it failed, with the end of what it said, or took longer than two minutes */
export const takeSample = (
  script: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Sample> =>
  new Promise((resolve, reject) => {
    if (isQuitting) throw new Error('The run is being ended.')
    const child = spawn(process.execPath, [script, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, ...settings },
    })
    running.add(child)
    const limit = setTimeout(() => {
      errors += ` It took longer than ${LIMIT_MS / 1_000} s.`
      killGroup(child)
    }, LIMIT_MS)
    let output = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-2_000)
    })
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(limit)
      running.delete(child)
      const line = output.split('\n').find((each) => each.startsWith(MARK))
      if (code === 0 && line !== undefined)
        resolve(sample.parse(JSON.parse(line.slice(MARK.length))))
      else reject(new Error(`${script} ${args.join(' ')} ended with ${code}: ${errors.trim()}`))
    })
  })
