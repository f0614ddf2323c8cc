"""The certificate by which phones get a secure page: made here, signed by itself, kept with the settings.

Browsers give a page the phone's camera only over https. No authority signs for an address in a home network, so the
phone warns once; the pages say what to press.
"""

from __future__ import annotations

import ipaddress
import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

VALID_DAYS = 390
"""Phones refuse certificates of more than 398 days."""

RENEW_DAYS = 7
"""So long before its end a new one is made."""

KEY_FILE, CERTIFICATE_FILE = "phone-key.pem", "phone-certificate.pem"


class CertificateMissingError(Exception):
    """The library that makes certificates is not installed; says how to get it."""


def certificate_for(folder: Path, addresses: tuple[str, ...], *, now: datetime | None = None) -> tuple[Path, Path]:
    """Give the certificate and key that hold for these addresses; made where there is none that does.

    Args:
        folder: of the settings.
        addresses: IPv4 addresses of this computer.
        now: the wall clock's time, with a time zone; by default now.

    Returns:
        The files of the certificate and of its key, which only the player may read.

    Raises:
        CertificateMissingError: a library that makes certificates is missing.
        OSError: the folder cannot be written.
    """
    now = now or datetime.now(UTC)
    certificate, key = folder / CERTIFICATE_FILE, folder / KEY_FILE
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
    except ImportError as error:
        raise CertificateMissingError(
            f'Phones need two more libraries. Install them with: "{sys.executable}" -m pip install segno cryptography'
        ) from error
    if _holds(certificate, key, addresses, now):
        return certificate, key
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "deskref on this desk")])
    names: list[x509.GeneralName] = [x509.DNSName("localhost")]
    names += [x509.IPAddress(ipaddress.ip_address(address)) for address in addresses]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=VALID_DAYS))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(private, hashes.SHA256())
    )
    folder.mkdir(parents=True, exist_ok=True)
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    write_secret(key, pem)
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    return certificate, key


def write_secret(path: Path, data: bytes) -> None:
    """Write a file that only the player may read.

    Raises:
        OSError: it cannot be written.
    """
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)


def _holds(certificate: Path, key: Path, addresses: tuple[str, ...], now: datetime) -> bool:
    """Whether there is a certificate that names all the addresses and does not end soon."""
    from cryptography import x509

    if not key.is_file():
        return False
    try:
        known = x509.load_pem_x509_certificate(certificate.read_bytes())
        names = known.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, x509.ExtensionNotFound):
        return False
    named = {str(address) for address in names.get_values_for_type(x509.IPAddress)}
    return set(addresses) <= named and known.not_valid_after_utc - now > timedelta(days=RENEW_DAYS)
