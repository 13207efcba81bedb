/** The name in the header of the inspector, the documentation and the checkout. */
export const PRODUCT_NAME = 'paylink-sandbox'
