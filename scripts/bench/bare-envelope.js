/**
 * An answer in the envelope of the service, about as long as a real one.
 *
 * @param {number | bigint} id
 * @param {object} body
 */
export const bareEnvelope = (id, body) => ({
  ResponseCode: 1,
  Result: 'True',
  ResponseMsg: 'Link has been created successfully',
  ServerTime: 'CET',
  data: {
    id: Number(id),
    linktopay_id: Number(id),
    link_id: 'MTAwMQ==',
    user_id: '00000000-0000-4000-8000-000000000001',
    ...body,
    servicefee: '1.0',
    is_split_link: 'true',
    bank_transfer: 'false',
    is_qr_link: 'false',
    is_cancellation: 'No',
    payment_config: '',
    bank_statement_description: '',
    status: 'Unused',
    created_at: new Date().toISOString(),
    pay_link: 'http://127.0.0.1:4400/payment?link_id=MTAwMQ%3D%3D',
    qr_img: 'http://127.0.0.1:4400/qr/MTAwMQ%3D%3D.png',
    transaction_type: 'Split',
  },
})
