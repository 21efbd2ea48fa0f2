/** What the HTTP surface needs. */
import type { Logger } from '#log/logger.ts'
import type { Deps } from '#service/deps.ts'
import type { ToClientAddress } from './admission/client-address.ts'
import type { RateLimiter } from './admission/rate-limit.ts'
import type { CellRouter } from './cell-router.ts'
import type { FunctionSurface } from './surfaces/function-surface.ts'
import type { GitSurface } from './surfaces/git-surface.ts'
import type { FileSurface } from './surfaces/served-files.ts'

export type HttpDeps = Pick<Deps, 'db' | 'newId' | 'keyring' | 'now' | 'spans'> &
  Readonly<{
    log: Logger
    maxBodyBytes: number
    /** Null if the address of each request is the base. */
    baseUrl: string | null
    toClientAddress: ToClientAddress
    rateLimit: RateLimiter
    onEnded: (route: string, status: number, durationMs: number) => void
    /** Null if this process serves no functions. */
    functions: FunctionSurface | null
    /** Console and guides, if this process serves them. */
    files: readonly FileSurface[]
    /** Null if this process takes no pushes. */
    gitPush: GitSurface | null
    /** Null if the instance has one database. @default null */
    cells?: CellRouter | null
  }>
