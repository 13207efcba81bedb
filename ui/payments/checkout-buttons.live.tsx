import { useSignal } from '@preact/signals'
import type { LinkView } from '../../server/contract/views.ts'
import { TextWithFlags } from '../components/text-with-flags.tsx'
import { CopyableText } from '../components/copyable-text.tsx'
import { Dialog } from '../components/dialog.tsx'
import { qrUrl } from '../data/urls.ts'

/** Opens the checkout of a link here, or by its QR code on a phone. */
export const CheckoutButtons = ({ link }: { readonly link: LinkView }) => (
  <>
    <a class="button quiet" href={link.payLink} target="_blank" rel="noreferrer">
      Open checkout
    </a>
    <QrButton link={link} />
  </>
)

function QrButton({ link: { payId, payLink, linkId } }: { readonly link: LinkView }) {
  const isOpen = useSignal(false)
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => (isOpen.value = true)}>
        QR
      </button>
      <Dialog
        title={`QR code of payment ${payId}`}
        isOpen={isOpen.value}
        onClose={() => (isOpen.value = false)}
      >
        <div class="qr">
          <img src={qrUrl(linkId)} width={300} height={300} alt={`QR code of ${payLink}`} />
          <CopyableText text={payLink} what="Pay link" />
          {isLoopback(payLink) && (
            <p class="muted">
              <TextWithFlags text="A phone cannot open this address, because the sandbox listens on this machine only. Start it with --host and --admin-token, then open the inspector at an address that the phone can reach." />
            </p>
          )}
          <button type="button" class="primary" onClick={() => (isOpen.value = false)}>
            Close
          </button>
        </div>
      </Dialog>
    </>
  )
}

/** Whether a URL leads to the machine that opens it. */
const isLoopback = (url: string): boolean =>
  /^(localhost|.+\.localhost|127\..+|\[::1\])$/.test(new URL(url).hostname)
