/**
 * `make test-image`: builds the image of the Dockerfile with buildah, without a container engine
 * and on a base made by debootstrap, and runs it. It checks the user, the health check, a job, a
 * stop within the grace period, and that data survives a restart.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { bootstrap } from '../release/clean-debian.ts'
import { callApi, deployAndRun, untilHealthy } from '../release/try-node.ts'
import { ROOT } from '../support/repository.ts'

const work = mkdtempSync(join(tmpdir(), 'svc-image-'))
const data = join(work, 'data')
const BASE = 'svc-test-base'
const IMAGE = 'svc-test'
const PORT = '3986'
const URL = `http://127.0.0.1:${PORT}`
const SVC_UID = 10_001
const GRACE_MS = 45_000
/** Plain copies of layers, because overlay file systems need rights that a container or a CI machine may lack. */
const env = {
  ...process.env,
  STORAGE_DRIVER: 'vfs',
  BUILDAH_ISOLATION: 'chroot',
}

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const buildah = (...args: readonly string[]): string =>
  execFileSync('buildah', args, {
    cwd: ROOT,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()

const inspected = z.object({
  Docker: z.object({
    config: z.looseObject({
      User: z.string(),
      Entrypoint: z.array(z.string()),
      Cmd: z.array(z.string()),
      Healthcheck: z.looseObject({ Test: z.array(z.string()) }),
    }),
  }),
})

const buildImage = () => {
  const base = join(work, 'base')
  bootstrap(base, 'trixie')
  const container = buildah('from', 'scratch')
  buildah('add', '--quiet', container, base, '/')
  buildah('commit', '--quiet', '--rm', container, BASE)
  rmSync(base, { recursive: true })
  buildah('bud', '--format=docker', `--build-arg=BASE=localhost/${BASE}`, `--tag=${IMAGE}`, '.')
  return inspected.parse(JSON.parse(buildah('inspect', IMAGE))).Docker.config
}

const ATTEMPTS = 5

/**
 * Runs a command in the container. On a busy machine buildah sometimes succeeds
 * without any output of the command. The command then runs again.
 * @returns what it printed @throws {Error} it failed
 */
const runInside = (container: string, ...command: readonly string[]): string => {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const said = buildah(
      'run',
      `--volume=${data}:/data`,
      `--env=SVC_PORT=${PORT}`,
      '--env=SVC_LOG_LEVEL=error',
      container,
      '--',
      ...command,
    )
    if (said !== '') return said
    say(`buildah printed nothing of ${command[0]}: attempt ${attempt}`)
  }
  throw new Error(`buildah printed nothing of ${command.join(' ')} in ${ATTEMPTS} attempts.`)
}

const start = async (container: string, command: readonly string[]): Promise<ChildProcess> => {
  const node = spawn(
    'buildah',
    ['run', `--volume=${data}:/data`, `--env=SVC_PORT=${PORT}`, container, '--', ...command],
    { cwd: ROOT, env, stdio: 'ignore' },
  )
  await untilHealthy(URL, node)
  return node
}

/** Removes what is left of the image and its containers, even after a failure. */
const removeAll = (): void => {
  const commands = [
    `pkill --signal=KILL --uid=${SVC_UID} --full 'svc start' || true`,
    'buildah containers --format "{{.ContainerID}} {{.ImageName}}" |' +
      ` awk '$2 ~ /${IMAGE}/ { print $1 }' | xargs -r buildah rm`,
    `buildah rmi --force ${IMAGE} ${BASE} || true`,
  ]
  for (const command of commands) execFileSync('sh', ['-c', command], { env, stdio: 'ignore' })
}

/** Stops the node as `docker stop` does: SIGTERM to the first process of the container. */
const stop = async (node: ChildProcess): Promise<void> => {
  const ended = once(node, 'exit')
  const started = performance.now()
  execFileSync('pkill', ['--signal=TERM', `--uid=${SVC_UID}`, '--full', '^/?[^ ]*svc start'])
  assert.equal((await ended)[0], 0)
  assert.ok(performance.now() - started < GRACE_MS)
}

try {
  mkdirSync(data)
  execFileSync('chown', [String(SVC_UID), data])
  const config = buildImage()
  say('✓ the image is built')
  const container = buildah('from', IMAGE)
  const inside = (...command: readonly string[]): string => runInside(container, ...command)
  const node = await start(container, [...config.Entrypoint, ...config.Cmd])
  assert.equal(config.User, 'svc')
  assert.equal(inside('id', '--user'), String(SVC_UID))
  const [, ...check] = config.Healthcheck.Test
  inside(...check)
  inside('grep', '--max-count=1', '^zod .*(MIT)$', '/usr/share/doc/svc/copyright')
  const token = inside('svc', 'create-token', 'default', 'admin@localhost')
  await deployAndRun(URL, token)
  say('✓ it runs as its user, its health check passes, a job runs')
  await stop(node)
  assert.throws(() => inside(...check))
  say('✓ SIGTERM stops it within its grace, and the health check fails then')
  const again = await start(container, [...config.Entrypoint, ...config.Cmd])
  assert.match(JSON.stringify(await callApi(URL, token, '/jobs')), /"status":"success"/)
  await stop(again)
  say('✓ the volume keeps jobs and tokens over a restart')
} finally {
  removeAll()
  rmSync(work, { recursive: true, force: true, maxRetries: 3 })
}
