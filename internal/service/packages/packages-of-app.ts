/** Fetches the packages of an app for a workspace, whose variables hold the tokens of private registries. */
import type { FileLookup } from '#bundle/file-lookup.ts'
import { packageFault } from '#core/packages/package-fault.ts'
import { listVariables } from '#store/secrets.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import type { Deps } from '../deps.ts'
import { allGrantsOf } from '../egress-grants.ts'
import { variableContext } from '../secrets/secret-context.ts'
import type { FetchedPackage } from './fetch-packages.ts'

export type PackageDeps = Pick<Deps, 'db' | 'keyring' | 'fetchPackages' | 'limits'>

const readVariable = async (
  { db, keyring }: PackageDeps,
  ws: string,
  key: string,
): Promise<string | null> => {
  const [workspace, variables] = await Promise.all([findWorkspace(db, ws), listVariables(db, ws)])
  const found = variables.find((variable) => variable.key === key)
  if (workspace === null || found === undefined) return null
  return keyring.decrypt(workspace.wrappedKey, ws, variableContext(key), found.ciphertext)
}

/** Refuses a variable to a caller who may not deploy, because an .npmrc sends it to the registry that it names. */
const refuseVariable = (key: string): Promise<never> =>
  Promise.reject(
    packageFault(
      'bad_npmrc',
      `.npmrc takes a token from the variable ${key}, which svc sends only for a caller who may deploy (deployments:write).`,
    ),
  )

/**
 * Fetches what the app needs and does not contain.
 * @param mayDeploy whether the caller may deploy code, and so use the variables of the workspace
 * @throws {AppError} bad_gateway, unprocessable
 */
export const packagesOfApp = (
  deps: PackageDeps,
  ws: string,
  files: FileLookup,
  mayDeploy = true,
): Promise<readonly FetchedPackage[]> =>
  deps.fetchPackages({
    files,
    owner: ws,
    readVariable: mayDeploy ? (key) => readVariable(deps, ws, key) : refuseVariable,
    readGrants: () => allGrantsOf(deps, ws),
  })
