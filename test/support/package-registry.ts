/** A package registry on this machine. It serves tarballs that tests make, and can fail like real registries. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { z } from 'zod'
import { type ArchiveEntry, makeArchive } from './bundle-archive.ts'

/** `slow` never answers, `truncated` ends in the middle, `other` sends different content. */
export type RegistryFault =
  | 'slow'
  | 'truncated'
  | 'other'
  | 'reset'
  | 'redirect'
  | Readonly<{ status: number }>
  | Readonly<{ redirectTo: string }>

export type StubPackage = Readonly<{
  name: string
  version: string
  tarball: Uint8Array
  integrity: string
  dependencies: Readonly<Record<string, string>>
}>

export type PackageRegistry = Readonly<{
  /** Has a trailing slash. */
  url: string
  /** Requests that arrived: method, path and the authorization header. */
  requests: readonly Readonly<{ path: string; authorization: string | null }>[]
  add(entry: StubPackage): void
  /** Makes every request for this package fail from now on. Null ends the fault. */
  fail(name: string, fault: RegistryFault | null): void
  close(): Promise<void>
}>

const integrityOf = (bytes: Uint8Array): string =>
  `sha512-${createHash('sha512').update(bytes).digest('base64')}`

const manifestShape = z.looseObject({
  name: z.string(),
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
})

export const stubPackage = async (
  manifest: Readonly<Record<string, unknown>>,
  entries: readonly ArchiveEntry[],
): Promise<StubPackage> => {
  const { name, version, dependencies } = manifestShape.parse(manifest)
  const tarball = await makeArchive([
    { header: { name: 'package/package.json' }, content: JSON.stringify(manifest) },
    ...entries,
  ])
  return { name, version, tarball, integrity: integrityOf(tarball), dependencies }
}

/** Packs an installed package of this repository as `npm pack` does. */
export const packInstalled = async (name: string): Promise<StubPackage> => {
  const folder = join(import.meta.dirname, '../../node_modules', name)
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => path !== 'package.json' && !path.startsWith('node_modules/'))
    .map((path) => ({
      header: { name: `package/${path}` },
      content: readFileSync(join(folder, path)),
    }))
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return stubPackage(z.record(z.string(), z.unknown()).parse(manifest), entries)
}

/** The lock file of an app with these packages, all at the top level of node_modules. */
export const lockFileOf = (
  packages: readonly StubPackage[],
  change: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {},
): string => {
  const dependencies = Object.fromEntries(packages.map(({ name, version }) => [name, version]))
  const locked = packages.map(({ name, version, integrity, dependencies }) => [
    `node_modules/${name}`,
    {
      version,
      resolved: `https://registry.npmjs.org/${name}/-/${name.split('/').at(-1)}-${version}.tgz`,
      integrity,
      dependencies,
      ...change[name],
    },
  ])
  const root = { name: 'app', version: '1.0.0', dependencies }
  return JSON.stringify({
    name: 'app',
    lockfileVersion: 3,
    packages: { '': root, ...Object.fromEntries(locked) },
  })
}

type Stub = Readonly<{
  packages: ReadonlyMap<string, StubPackage>
  faults: ReadonlyMap<string, RegistryFault>
  url: string
}>

const TARBALL = /^\/(.+)\/-\/[^/]+-(\d+\.\d+\.\d+[^/]*)\.tgz$/
const VERSION = /^\/(.+)\/(\d+\.\d+\.\d+[^/]*)$/

const sendTarball = (
  tarball: Uint8Array,
  fault: RegistryFault | undefined,
  res: ServerResponse,
) => {
  if (fault === 'truncated') {
    res.writeHead(200, { 'content-length': tarball.length })
    res.write(tarball.subarray(0, 100), () => res.destroy())
    return
  }
  res.writeHead(200, { 'content-type': 'application/octet-stream' })
  res.end(fault === 'other' ? Buffer.from('something else') : tarball)
}

const answer = (req: IncomingMessage, res: ServerResponse, { packages, faults, url }: Stub) => {
  const path = decodeURIComponent(req.url ?? '').replace(/^\/moved/, '')
  const [, name = '', version = ''] = TARBALL.exec(path) ?? VERSION.exec(path) ?? []
  const fault = faults.get(name)
  const found = packages.get(`${name}@${version}`)
  if (fault === 'slow') return
  if (fault === 'reset') return req.socket.destroy()
  if (typeof fault === 'object') {
    if ('status' in fault) return res.writeHead(fault.status).end('no')
    return res.writeHead(302, { location: fault.redirectTo }).end()
  }
  if (fault === 'redirect' && req.url?.startsWith('/moved') !== true) {
    return res.writeHead(302, { location: `/moved${req.url}` }).end()
  }
  if (found === undefined) return res.writeHead(404).end('{}')
  if (TARBALL.test(path)) return sendTarball(found.tarball, fault, res)
  const { dependencies, integrity } = found
  const tarball = `${url}${name}/-/${name.split('/').at(-1)}-${version}.tgz`
  res.end(JSON.stringify({ name, version, dependencies, dist: { integrity, tarball } }))
}

/** Starts a registry. Close it at the end. */
export const startPackageRegistry = async (): Promise<PackageRegistry> => {
  const packages = new Map<string, StubPackage>()
  const faults = new Map<string, RegistryFault>()
  const requests: { path: string; authorization: string | null }[] = []
  let url = ''
  const server = createServer((req, res) => {
    requests.push({ path: req.url ?? '', authorization: req.headers.authorization ?? null })
    answer(req, res, { packages, faults, url })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The stub has no port.')
  url = `http://127.0.0.1:${address.port}/`
  return {
    url,
    requests,
    add: (entry) => void packages.set(`${entry.name}@${entry.version}`, entry),
    fail: (name, fault) => void (fault === null ? faults.delete(name) : faults.set(name, fault)),
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
