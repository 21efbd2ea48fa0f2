/** Paths of pages with no parameter other than the workspace. */
import type { RegisteredRouter } from '@tanstack/react-router'

type AnyPath = keyof RegisteredRouter['routesByPath']

export type PagePath = Exclude<AnyPath, `${string}$${string}$${string}` | `${string}/`>
