import type { AccountView } from '../../../server/contract/views.ts'
import { DraftField, DraftSwitch } from './draft-field.tsx'
import type { Path } from './drafts.ts'
import { Section } from './section.tsx'
import { UrlPreview } from './url-preview.tsx'

interface Props {
  readonly account: AccountView
}

export function Settings({ account }: Props) {
  return (
    <Section name="settings">
      <DraftField account={account} path="name" label="Name" />
      <DraftField
        account={account}
        path="paymentEndpoint"
        label="Payment endpoint"
        inputMode="url"
        hint="Receives the webhooks of links without payment_endpoint. May be empty. Use /tunnel/… to capture them in the sandbox."
      />
      <UrlPreview field="paymentEndpoint" />
      <DraftField
        account={account}
        path="serviceFee"
        label="Service fee, in percent"
        inputMode="decimal"
        hint="The service fee of new links."
      />
      <DraftSwitch account={account} path="bankTransfer" label="Links offer bank transfer" />
    </Section>
  )
}

const address: readonly (readonly [Path, label: string])[] = [
  ['billing.company', 'Company'],
  ['billing.name', 'Account holder'],
  ['billing.street', 'Street'],
  ['billing.houseNo', 'House number'],
  ['billing.zipcode', 'Zip code'],
  ['billing.city', 'City'],
  ['billing.country', 'Country'],
]

export function BillingAddress({ account }: Props) {
  return (
    <Section name="billing">
      <p class="muted">Appears on new invoices.</p>
      <div class="address">
        {address.map(([path, label]) => (
          <DraftField key={path} account={account} path={path} label={label} />
        ))}
      </div>
      <DraftSwitch
        account={account}
        path="billing.reverseCharge"
        label="Reverse charge: no VAT on invoices"
      />
    </Section>
  )
}
