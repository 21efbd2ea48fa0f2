import {
  type ClaimOptions,
  claimJobs as claim,
  createClaimMemory,
} from '#service/queue/claim-jobs.ts'

type Defaults = 'level' | 'workspaces' | 'afterWs' | 'onTaken' | 'memory'

export type TestClaim = Omit<ClaimOptions, Defaults> & Partial<Pick<ClaimOptions, Defaults>>

/** Claims jobs of all workspaces and levels, as the first claim of a worker. */
export const claimJobs = (
  deps: Parameters<typeof claim>[0],
  options: TestClaim,
): ReturnType<typeof claim> =>
  claim(deps, {
    level: 'vm',
    workspaces: [],
    afterWs: '',
    onTaken: () => undefined,
    memory: createClaimMemory(),
    ...options,
  })
