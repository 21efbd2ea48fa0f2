/** A page that is loaded when it is opened. If that fails, the router loads the whole console again, once the server answers. */
import { lazyRouteComponent } from '@tanstack/react-router'
import { loadFile } from '../browser/load-part.ts'

export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => loadFile(load), name)
