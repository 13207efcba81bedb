/** @jsxImportSource hono/jsx */
import type { Link } from '../../../domain/links/link.ts'
import { formatEuros } from '../../../domain/money/cents.ts'
import { Notice } from './checkout-page.tsx'
import { Mark } from './mark.tsx'
import { checkoutPathAfter } from '../paths.ts'
import { PageLayout } from './page.tsx'

interface Props {
  readonly link: Link
  readonly payee: string
  /** Whether the customer tried an action that is not allowed while a transfer is pending. */
  readonly isRejected: boolean
}

/** Waits for the operator's decision about a bank transfer, and then loads the next page. */
export function WaitingPage({ link, payee, isRejected }: Props) {
  const next = checkoutPathAfter(link, 'waiting')

  return (
    <PageLayout
      title="Waiting for your transfer"
      payId={link.payId}
      next={next}
      developer={
        <>
          <p>Approve or reject the transfer in the inspector, or with a request:</p>
          <a class="standing" href={`/#/payments/${link.payId}`}>
            Approve or reject the transfer
          </a>
          <p>
            <code translate="no" class="command">
              POST /_sandbox/v1/links/{link.id}/approve-transfer
            </code>
            <code translate="no" class="command">
              POST /_sandbox/v1/links/{link.id}/reject-transfer
            </code>
          </p>
          <p class="muted">
            After an approval this page redirects to the shop. After a rejection the link can be paid again.
          </p>
        </>
      }
    >
      {isRejected && (
        <Notice>A bank transfer is already on its way. Nothing else was done with this payment.</Notice>
      )}
      <Mark sign="waiting" />
      <h1>Waiting for your transfer</h1>
      <p class="muted">
        Send the amount to this account. This page continues by itself when the money has arrived.
      </p>
      <dl>
        <dt>Amount</dt>
        <dd>{formatEuros(link.amount)}</dd>
        <dt>Recipient</dt>
        <dd dir="auto">{payee}</dd>
        <dt>IBAN (sample, no real account)</dt>
        <dd>DE00 0000 0000 0000 0000 00</dd>
        <dt>Reference</dt>
        <dd>{link.payId}</dd>
      </dl>
      <a class="button" href={next} data-next>
        Look again
      </a>
    </PageLayout>
  )
}
