/** The sign-in form of pages that need a person; it comes back to where it was asked for. */
import { html } from 'hono/html'
import { toPageResponse } from './page.ts'

/** A path of ours, and nothing that a browser would read as another site's address. */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)

export const signInPage = (next: string, fault: string | null = null): Promise<Response> =>
  toPageResponse({
    title: 'Sign in',
    status: fault === null ? 200 : 401,
    content: html`${fault === null ? '' : html`<p class="fault" role="alert">${fault}</p>`}
<form method="post" action="/api/auth/login">
<input type="hidden" name="next" value="${next}">
<label>E-mail <input name="email" type="email" autocomplete="username" required maxlength="320"></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required maxlength="200"></label>
<button>Sign in</button>
</form>`,
  })
