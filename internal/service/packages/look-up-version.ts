/** Looks up in a registry the hash of a version that an `npm:` specifier names. A published version never changes. */
import QuickLRU from 'quick-lru'
import { z } from 'zod'
import { parseJsonOrNull } from '#core/json/value.ts'
import { hasMoreValuesThan } from '#core/json/values.ts'
import { MAX_URL_LENGTH } from '#core/network/document-url.ts'
import { type Integrity, MAX_INTEGRITY_LENGTH, parseIntegrity } from '#core/packages/integrity.ts'
import { packageFault } from '#core/packages/package-fault.ts'
import type { NpmSpecifier } from '#core/packages/package-specifier.ts'
import type { RegistrySession } from '#outbound/fetch-from-registry.ts'
import type { PackageSource } from './package-source.ts'

type PublishedVersion = Readonly<{ integrity: Integrity; resolved: string | null }>

/** @throws {AppError} unprocessable `needs_lock_file`: the version has dependencies; also what a fetch throws */
export type VersionLookUp = (
  wanted: NpmSpecifier,
  source: PackageSource,
) => Promise<PublishedVersion>

const version = z.object({
  dependencies: z.custom<object>((value) => typeof value === 'object' && value !== null).optional(),
  dist: z.object({
    integrity: z.string().max(MAX_INTEGRITY_LENGTH).optional(),
    shasum: z.string().length(40).optional(),
    tarball: z.string().max(MAX_URL_LENGTH).optional(),
  }),
})

const MAX_KNOWN = 1_000
/** Descriptions of versions are far smaller: that of date-fns has 150 kB and 5,000 values. Parsing so much takes 20 ms. */
const MAX_BYTES = 4 * 1_024 * 1_024
const MAX_VALUES = 30_000

const parse = (bytes: Uint8Array): unknown => {
  if (bytes.length > MAX_BYTES) return null
  const text = new TextDecoder().decode(bytes)
  return hasMoreValuesThan(text, MAX_VALUES) ? null : parseJsonOrNull(text)
}

const read = (bytes: Uint8Array, what: string): PublishedVersion => {
  const parsed = version.safeParse(parse(bytes))
  const { integrity, shasum, tarball } = parsed.data?.dist ?? {}
  const fromSha1 =
    shasum === undefined ? '' : `sha1-${Buffer.from(shasum, 'hex').toString('base64')}`
  const hash = parseIntegrity(integrity ?? fromSha1)
  if (!parsed.success || hash === null) {
    throw packageFault('bad_package', `The registry names no hash of ${what}.`)
  }
  if (Object.keys(parsed.data.dependencies ?? {}).length > 0) {
    throw packageFault(
      'needs_lock_file',
      `npm:${what} imports other packages, so it needs a package-lock.json. Create one with: npm install ${what}`,
    )
  }
  return { integrity: hash, resolved: tarball ?? null }
}

/** Creates the look-up, which caches the last versions. */
export const createVersionLookUp = (): ((session: RegistrySession) => VersionLookUp) => {
  const known = new QuickLRU<string, PublishedVersion>({ maxSize: MAX_KNOWN })
  return (session) => async (wanted, source) => {
    const { registry, token, isTrusted, owner } = source
    const what = `${wanted.name}@${wanted.version}`
    const key = `${owner} ${registry} ${what}`
    const found = known.get(key)
    if (found !== undefined) return found
    const url = `${registry}${wanted.name.replace('/', '%2f')}/${encodeURIComponent(wanted.version)}`
    const bytes = await session.fetch({ url, what, token, isTrusted, accept: 'application/json' })
    const published = read(bytes, what)
    known.set(key, published)
    return published
  }
}
