/** Bundles actions of a folder with the packages that its lock file names and that are missing in node_modules. */
import { overlay } from '#bundle/file-lookup.ts'
import type { ActionDefinition } from '#core/action/definition.ts'
import { bundleActions, type LocalAction, type LocalApp } from './app-folder.ts'
import { withFolderPackages } from './bundle-with-packages.ts'

/**
 * @returns the actions by key
 * @throws {AppError} unprocessable: the code cannot be bundled, or a package has a fault; bad_gateway `registry_unreachable`
 */
export const bundleLocalActions = (
  app: LocalApp,
  definitions: readonly ActionDefinition[],
): Promise<ReadonlyMap<string, LocalAction>> =>
  withFolderPackages(app.folder, [], app.files, (fetched) =>
    bundleActions({ ...app, files: overlay(fetched, app.files) }, definitions),
  )
