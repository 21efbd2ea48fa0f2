/** Bundles the functions of a folder, because only bundling finds the faults of their code. */
import type { BundledFunction } from '#bundle/bundle-functions.ts'
import type { FunctionSource } from '#bundle/function-files.ts'
import { AppError, type ErrorDetail, unprocessable } from '#core/error.ts'
import { bundleWithPackages } from './bundle-with-packages.ts'
import { showFaults } from './function-folder.ts'
import { readSharedFiles } from './shared-files.ts'

/** @throws {AppError} unprocessable, with every fault */
export const bundleFolder = async (
  folder: string,
  functions: readonly FunctionSource[],
  onWarning: (warning: ErrorDetail) => void,
): Promise<readonly BundledFunction[]> => {
  const bundled = await listFaults(bundleWithPackages(folder, functions, readSharedFiles(folder)))
  for (const { entry } of bundled) entry.warnings.forEach(onWarning)
  return bundled
}

/** Puts every fault of a failed bundle into the error's message, because a terminal shows nothing else. */
export const listFaults = async <T>(bundling: Promise<T>): Promise<T> => {
  try {
    return await bundling
  } catch (error) {
    if (!(error instanceof AppError) || error.details === undefined) throw error
    throw unprocessable(showFaults(error.details), { cause: error })
  }
}
