import { downloadPaymentTest } from '../data/download-test.ts'
import { TestMenu } from '../components/test-menu.tsx'

/** A menu that downloads a payment as a test. */
export const PaymentTestMenu = ({ payId }: { readonly payId: number }) => (
  <TestMenu onDownload={(format) => downloadPaymentTest(payId, format)} />
)
