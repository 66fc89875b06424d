"""The Compare screen: agents beside each other on one position, with the exact values between them."""
