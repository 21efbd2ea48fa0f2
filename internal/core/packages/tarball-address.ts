/** The address of a package's tarball at a registry. Pure. */

export type PackageVersion = Readonly<{ name: string; version: string; resolved: string | null }>

/** The path that npm's registry and most others use. */
const standardPath = ({ name, version }: PackageVersion): string =>
  `${name}/-/${name.slice(name.indexOf('/') + 1)}-${version}.tgz`

/**
 * Returns the address to fetch, or null when the lock file names something other than a registry (git, a plain URL, a
 * file). A lock file may name another registry than the one that svc uses; the content is defined by its hash.
 * @param registry ends with a slash
 */
export const tarballAddress = (wanted: PackageVersion, registry: string): string | null => {
  const standard = `${registry}${standardPath(wanted)}`
  if (wanted.resolved === null) return standard
  const resolved = URL.parse(wanted.resolved)
  if (resolved === null || !/^https?:$/.test(resolved.protocol)) return null
  if (resolved.href.startsWith(registry)) return resolved.href
  const path = resolved.pathname.replaceAll(/%40/gi, '@').replaceAll(/%2f/gi, '/')
  return path.endsWith(`/${standardPath(wanted)}`) ? standard : null
}
