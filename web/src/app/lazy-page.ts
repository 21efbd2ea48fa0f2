/** A page that is loaded when it is opened. The router loads the whole console again if a newer server has replaced the page. */
import { lazyRouteComponent } from '@tanstack/react-router'
import { loadFile } from '../browser/load-part.ts'

export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => loadFile(load), name)
