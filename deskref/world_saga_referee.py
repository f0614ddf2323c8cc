"""placeholder"""
from deskref.session import Session
from typing import Any
def start(session: Session, setup: Any) -> Session: return session
def on_event(session: Session, event: Any) -> Session: return session
def on_input(session: Session, given: Any) -> Session: return session
def settle(session: Session) -> Session: return session
