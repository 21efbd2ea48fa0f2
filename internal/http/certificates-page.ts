/**
 * The desktop's page of the certificate relay. Files are read by a script of the page's own, named by its hash; without
 * scripts it says what to do instead.
 */
import { html } from 'hono/html'
import { CERTIFICATES_SCRIPT } from './certificates-script.gen.ts'
import { toPageResponse } from './page.ts'

export const certificatesPage = (): Promise<Response> =>
  toPageResponse({
    title: 'Send a certificate to your phone',
    script: CERTIFICATES_SCRIPT,
    content: html`<p>Start the import on the phone: it shows a code of six digits for some minutes. The certificate goes to that phone
alone, encrypted on its way, and is kept only until the phone has it. Its password is never asked for.</p>
<noscript><p class="fault">This page reads the two files with a script, and scripts are off in this browser. Allow them for
this page and load it again, or use another browser.</p></noscript>
<form id="relay" hidden novalidate autocomplete="off">
<label for="code">Code <span class="hint">six digits, on the phone</span></label>
<input id="code" inputmode="numeric" maxlength="11" required aria-describedby="said">
<label for="certDer">Certificate <span class="hint">signCert.der</span></label>
<input id="certDer" type="file" accept=".der,.cer,.crt" required aria-describedby="certDer-name">
<p id="certDer-name" class="hint" role="status"></p>
<label for="certKey">Private key <span class="hint">signPri.key</span></label>
<input id="certKey" type="file" accept=".key,.der" required aria-describedby="certKey-name">
<p id="certKey-name" class="hint" role="status"></p>
<p class="hint">Or drop both files anywhere on this page.</p>
<section id="seen" hidden aria-live="polite" aria-label="The chosen certificate">
<dl><dt>Holder</dt><dd id="subject"></dd><dt>Issuer</dt><dd id="issuer"></dd><dt>Valid until</dt><dd id="until"></dd></dl>
</section>
<button id="send">Send to the phone</button>
</form>
<p id="said" role="status" tabindex="-1"></p>`,
  })
