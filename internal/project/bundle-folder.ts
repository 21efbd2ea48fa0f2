/** Bundles the functions of a folder, because only bundling finds the faults of their code. */
import type { BundledFunction } from '#bundle/bundle-functions.ts'
import { collectRefusals } from '#core/deploy/refusals.ts'
import { AppError, type ErrorDetail, unprocessable } from '#core/error.ts'
import { bundleWithPackages } from './bundle-with-packages.ts'
import { type ReadFolder, refuseFaulty, showFaults, sourcesOf } from './function-folder.ts'
import { readSharedFiles } from './shared-files.ts'

/** @throws {AppError} unprocessable, with every fault of functions and code */
export const bundleFolder = async (
  folder: string,
  read: ReadFolder,
  onWarning: (warning: ErrorDetail) => void,
): Promise<readonly BundledFunction[]> => {
  const bundled = await listFaults(bundleRead(folder, read))
  for (const { entry } of bundled) entry.warnings.forEach(onWarning)
  return bundled
}

const bundleRead = async (
  folder: string,
  read: ReadFolder,
): Promise<readonly BundledFunction[]> => {
  const refusals = collectRefusals()
  refusals.add('functions', refuseFaulty(read))
  const bundled = await refusals.keep('packages', () =>
    bundleWithPackages(folder, sourcesOf(read), readSharedFiles(folder)),
  )
  refusals.throwAny()
  return bundled ?? []
}

/** Puts every fault of a failed bundle into the error's message, because a terminal shows nothing else. */
const listFaults = async <T>(bundling: Promise<T>): Promise<T> => {
  try {
    return await bundling
  } catch (error) {
    if (!(error instanceof AppError) || error.details === undefined) throw error
    throw unprocessable(showFaults(error.details), { cause: error })
  }
}
