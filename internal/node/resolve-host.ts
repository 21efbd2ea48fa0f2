/** Resolves names that callers give, in turns of the workspaces for which this process works. */
import type { Resolver } from '#outbound/address-guard.ts'
import { createResolveHost } from '#outbound/resolve-host.ts'
import { currentReader } from '#store/read-owner.ts'

/** One for the process, because its names share the threads of the system. */
export const resolveHost: Resolver = createResolveHost({ ownerOf: currentReader })
