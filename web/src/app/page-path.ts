/** Pages that an address leads to with no more than the workspace in it. */
import type { RegisteredRouter } from '@tanstack/react-router'

type AnyPath = keyof RegisteredRouter['routesByPath']

export type PagePath = Exclude<AnyPath, `${string}$${string}$${string}` | `${string}/`>
