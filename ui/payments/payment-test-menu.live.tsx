import { downloadPaymentTest } from '../data/download-test.ts'
import { TestMenu } from '../components/test-menu.tsx'

/** A menu for downloading test code that repeats a payment. */
export const PaymentTestMenu = ({ payId }: { readonly payId: number }) => (
  <TestMenu onDownload={(format) => downloadPaymentTest(payId, format)} />
)
