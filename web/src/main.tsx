/** Starts the console. */
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { router } from './app/router.ts'
import { listenForShortcuts } from './app/shortcuts.ts'
import { styleNonce } from './browser/nonce.ts'
import { currentLanguage, setLanguageOfPage } from './language/language.ts'
import { queryClient } from './session/query-client.ts'
import './theme/tokens.css'
import './theme/base.css'
import './theme/layout.css'

const place = document.getElementById('app')
if (place === null) throw new Error('The page has no place for the console.')

setLanguageOfPage(currentLanguage())
listenForShortcuts()

createRoot(place).render(
  <StrictMode>
    <CSPProvider nonce={styleNonce()}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
