/** Starts a guest as jobs will be started and has it try to get out; every try must fail. */
import { z } from 'zod'
import { type GuestCommand, startGuest } from './guest-process.ts'
import type { ProcessShape } from './process-shape.ts'
import { encodeMessage, encodeRun } from './protocol.ts'

/** Answers the names of the walls that did not hold. */
const CANARY_CODE = `
const attempts = {
  read: () => Deno.readTextFileSync('/etc/passwd'),
  write: () => Deno.writeTextFileSync('/tmp/svc-canary', ''),
  environment: () => Deno.env.toObject(),
  process: () => new Deno.Command('/bin/true').outputSync(),
  library: () => Deno.dlopen('/lib/x86_64-linux-gnu/libc.so.6', {}),
  loopback: async () => (await Deno.connect({ hostname: '127.0.0.1', port: 9 })).close(),
}
export const main = async () => {
  const open = []
  for (const [name, attempt] of Object.entries(attempts)) {
    try { await attempt(); open.push(name) } catch (error) {
      if (error.name !== 'NotCapable' && error.name !== 'PermissionDenied') open.push(name)
    }
  }
  return open
}`

const TIMEOUT_MS = 10_000
const openWalls = z.array(z.string())

/** @returns true when the process ran and every wall held */
export const runCanary = async (
  commandFor: (shape: ProcessShape) => GuestCommand,
): Promise<boolean> => {
  const guest = startGuest(commandFor({ memoryMb: 128, network: null }))
  const answer = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), TIMEOUT_MS)
    void guest.exited.then(() => resolve(false)).finally(() => clearTimeout(timer))
    guest.listen({
      onFrame: (kind, body) => {
        if (kind === 'R') resolve(openWalls.parse(JSON.parse(body)).length === 0)
        else if (kind === 'E') resolve(false)
      },
      onOutput: () => undefined,
      onOversize: () => resolve(false),
    })
  })
  guest.send(encodeMessage({ t: 'load', hash: 'canary', entrypoint: 'canary', code: CANARY_CODE }))
  guest.send(
    encodeRun(
      {
        hash: 'canary',
        job: { id: '', app: '', action: '', commit: '', attempt: 1 },
        trigger: { kind: 'api' },
        variables: {},
        resources: {},
        resultBytes: 1_000,
        logBytes: 1_000,
      },
      '{}',
    ),
  )
  try {
    return await answer
  } finally {
    guest.kill()
  }
}
