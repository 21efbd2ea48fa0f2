/** Checks TypeScript code from documents with the compiler. */
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { ROOT } from './repository.ts'

const sdk = (file: string): readonly string[] => [join(ROOT, 'sdk', file)]

const PATHS = {
  '@svc/sdk': sdk('mod.ts'),
  '@svc/sdk/client': sdk('client.ts'),
  '@svc/sdk/relay': sdk('relay.ts'),
  '@svc/sdk/testing': sdk('testing.ts'),
}

/**
 * Checks files by name against the SDK of this repository.
 * @param options of the compiler, in addition to those of tsconfig.json
 * @returns faults: `name(line,column): error TS2339: …`
 */
export const typeCheck = async (
  files: Readonly<Record<string, string>>,
  options: Readonly<Record<string, boolean>> = {},
): Promise<readonly string[]> => {
  const name = `${process.pid}-${Object.keys(files).length}-${Object.keys(options).length}`
  // inside the repository, where the compiler finds the types of packages
  const place = join(ROOT, 'node_modules', '.cache', 'svc-documents', name)
  const typeRoots = [join(ROOT, 'node_modules', '@types')]
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { paths: PATHS, typeRoots, ...options },
    include: ['**/*.ts'],
    exclude: [],
  }
  for (const [path, text] of Object.entries({
    ...files,
    'tsconfig.json': JSON.stringify(config),
  })) {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), text)
  }
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  try {
    await promisify(execFile)(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], {
      cwd: place,
    })
    return []
  } catch (error) {
    const { stdout } = error as { stdout?: string }
    if (stdout === undefined) throw error
    return stdout.split('\n').filter((line) => line.includes(': error TS'))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
