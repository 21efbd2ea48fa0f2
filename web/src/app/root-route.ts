/** The two frames around the pages: the whole app, and a workspace with its side bar. Routes of pages are their children. */
import { createRootRoute, createRoute } from '@tanstack/react-router'
import { AppFrame } from './app-frame.tsx'
import { CrashPage, MissingAlone, MissingPage } from './crash-page.tsx'
import { WorkspaceFrame } from './workspace-frame.tsx'

export const rootRoute = createRootRoute({
  component: AppFrame,
  errorComponent: CrashPage,
  notFoundComponent: MissingAlone,
})

export const workspaceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/w/$ws',
  component: WorkspaceFrame,
  errorComponent: CrashPage,
  notFoundComponent: MissingPage,
})
