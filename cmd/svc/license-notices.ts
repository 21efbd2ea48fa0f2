/** The licence notices of what svc contains, and their text for people. */
import packageJson from '../../package.json' with { type: 'json' }

/** A package or other work inside svc. */
export type Component = Readonly<{
  /** The name in npm; a work within a package follows its name, as in `unpdf/pdf.js`. */
  name: string
  /** Null if the package does not state it. */
  version: string | null
  /** An SPDX expression. */
  license: string
  /** Its texts, as positions in the list of texts. */
  texts: readonly number[]
}>

/** Texts that several components share are kept once. */
export type Notices = Readonly<{ components: readonly Component[]; texts: readonly string[] }>

/** The file of the binary with the notices: JSON, compressed with Brotli. */
export const NOTICES_FILE = 'licenses.json.br'

/** The licence of svc, as package.json states it. */
export const OWN_LICENSE = packageJson.license

export const OWN_NOTICE = `svc ${packageJson.version}: copyright the authors of svc, all rights reserved (${OWN_LICENSE}).
It contains the following, each under its own licence.`

/** The packages that contain others, with the repositories whose Cargo.lock names those. It does not state licences. */
const RUST_LOCKS = new Map([
  ['deno', 'https://github.com/denoland/deno'],
  ['libsql', 'https://github.com/tursodatabase/libsql-js'],
])

/** Returns lines about what is missing, because the npm packages do not state it; empty for programs without those packages. */
export const notListed = ({ components }: Notices): readonly string[] => {
  const locks = components.flatMap(({ name, version }) => {
    const repository = RUST_LOCKS.get(name)
    return repository === undefined ? [] : [`  ${repository}/blob/v${version}/Cargo.lock`]
  })
  if (locks.length === 0) return []
  return [
    'Deno and libSQL also contain Rust packages, which are not listed, because their npm packages do not state them.',
    'These files have their names and versions; https://crates.io has the licence of each:',
    ...locks,
  ]
}

const RULE = '-'.repeat(80)

const nameAndVersion = ({ name, version }: Component): string =>
  version === null ? name : `${name} ${version}`

/** Returns each text after the components that it is for. */
export const noticesText = (notices: Notices): string => {
  const { components, texts } = notices
  const parts = texts.map((text, at) => {
    const users = components.filter((each) => each.texts.includes(at))
    const names = users.map((each) => `${nameAndVersion(each)} (${each.license})`)
    return [RULE, ...names, '', text, ''].join('\n')
  })
  const missing = notListed(notices).map((line) => `${line}\n`)
  return [OWN_NOTICE, '', ...(missing.length === 0 ? [] : [missing.join('')]), ...parts].join('\n')
}
