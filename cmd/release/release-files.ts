/** Makes all files of a release from the checked-out sources. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildBinaries } from '../build/build-binary.ts'
import { ARCHITECTURES, type Architecture } from '../build/platform-parts.ts'
import { shownCommands } from '../svc/commands.ts'
import { COMPLETION_SCRIPTS } from '../svc/completion-scripts.ts'
import { noticesText } from '../svc/license-notices.ts'
import { packFolder } from './archive.ts'
import { type DebianPackage, packDebian } from './debian-package.ts'
import { manPage } from './man-page.ts'
import { makeSbom } from './sbom.ts'

const MILLISECONDS = 1000
const PROGRAM = 0o755

export type ReleaseSource = Readonly<{
  root: string
  version: string
  /** Time of the commit, in seconds since 1970; the files of the release have this time. */
  epoch: number
  maintainer: string
  /** Public key of the signature, as in release-key.pub. */
  publicKey: string
}>

const binaryName = (arch: Architecture): string => `svc-linux-${arch}`

/** Packs the archive that people unpack by hand. */
const packTarball = (
  work: string,
  output: string,
  deb: Omit<DebianPackage, 'maintainer'>,
): void => {
  const root = join(work, 'tar')
  const folder = join(root, `svc-${deb.version}`)
  mkdirSync(join(folder, 'completions'), { recursive: true })
  copyFileSync(deb.binary, join(folder, 'svc'))
  writeFileSync(join(folder, 'svc.1'), deb.manPage)
  writeFileSync(join(folder, 'CHANGELOG.md'), deb.changelog)
  writeFileSync(join(folder, 'LICENSES.txt'), noticesText(deb.notices))
  for (const [shell, script] of Object.entries(deb.completions)) {
    writeFileSync(join(folder, 'completions', `svc.${shell}`), script)
  }
  packFolder(root, output, deb.epoch)
  rmSync(root, { recursive: true })
}

/** @returns the script with the release's version and public key */
const installScript = ({ version, publicKey }: ReleaseSource): string =>
  readFileSync(join(import.meta.dirname, 'install.sh'), 'utf8')
    .replace('@VERSION@', version)
    .replace('@PUBLIC_KEY@', publicKey)

const packSdk = (root: string, output: string): void => {
  execFileSync('node', [join(root, 'cmd/build/sdk.ts')], { stdio: ['ignore', 'ignore', 'inherit'] })
  execFileSync(
    'npm',
    ['pack', '--ignore-scripts', '--silent', `--pack-destination=${output}`, './sdk'],
    { cwd: join(root, 'dist'), stdio: ['ignore', 'ignore', 'inherit'] },
  )
}

/**
 * Builds the binaries, archives, Debian packages, SDK, list of packages and install script.
 * @param output folder, which is replaced
 * @throws {Error} a tool or a package of a platform is missing
 */
export const makeReleaseFiles = async (source: ReleaseSource, output: string): Promise<void> => {
  const { root, version, epoch, maintainer } = source
  const time = new Date(epoch * MILLISECONDS).toISOString()
  const work = join(root, 'dist', 'release-work')
  const draft = `${output}.draft`
  for (const folder of [work, draft]) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
  }
  const built = await buildBinaries(
    ARCHITECTURES.map((arch) => ({ arch, output: join(draft, binaryName(arch)) })),
  )
  const shared = {
    version,
    epoch,
    manPage: manPage({
      version,
      date: time.slice(0, 'yyyy-mm-dd'.length),
      commands: shownCommands(),
    }),
    changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    completions: COMPLETION_SCRIPTS,
  }
  for (const { arch, notices } of built) {
    const parts = { ...shared, arch, notices, binary: join(draft, binaryName(arch)) }
    packTarball(work, join(draft, `${binaryName(arch)}.tar.gz`), parts)
    packDebian(draft, work, { ...parts, maintainer })
  }
  packSdk(root, draft)
  writeFileSync(join(draft, 'sbom.cdx.json'), makeSbom(root, version, time))
  writeFileSync(join(draft, 'install.sh'), installScript(source), { mode: PROGRAM })
  rmSync(work, { recursive: true })
  rmSync(output, { recursive: true, force: true })
  renameSync(draft, output)
}
