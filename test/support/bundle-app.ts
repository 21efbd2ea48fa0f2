/** Bundles small apps as a deploy does, with the packages in their files. */
import { type BundledEntry, bundleEntries } from '#bundle/bundle-entries.ts'
import { type AppTexts, toAppFiles } from './app-files.ts'

/** Bundles `main.ts`. @throws {AppError} the app is refused */
export const bundleApp = async (files: AppTexts): Promise<BundledEntry> => {
  const [entry] = await bundleEntries(toAppFiles(files), ['main.ts'])
  if (entry === undefined) throw new Error('Nothing was bundled.')
  return entry
}

/** The files of a package. */
export const packageFiles = (name: string, text: string, manifest: object = {}): AppTexts => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, ...manifest }),
  [`node_modules/${name}/index.js`]: text,
})
